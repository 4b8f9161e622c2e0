import { setTimeout as sleep } from 'node:timers/promises';
import { Faults } from './faults.mjs';
import { forgetConnections, loadHerald, SimulatedHerald, SimulatedStore } from './herald.mjs';
import { openWork, Oracle } from './oracle.mjs';
import { Peers } from './peers.mjs';
import { prepare } from './kinds.mjs';
import { Workload } from './workload.mjs';
import { network } from './world/network.mjs';
import { MemoryTree } from './world/tree.mjs';
import { Actor, RunStuck, world } from './world/world.mjs';

/** The same disk for all runs: what it holds was written in a run of this seed. */
const SEED_OF_THE_DISK = 0;
const CATCH_UP_MS = 10 * 60_000;
const LOOK_EVERY_MS = 30_000;

/** In a process of Herald, it would be its end. Connections of peers are cut on purpose. */
function onUncaught(error) {
  const { name } = world.actor;
  const isOfHerald = name.startsWith('herald-');
  if (isOfHerald || error?.code !== 'ECONNRESET')
    world.fail(isOfHerald ? 'P15' : 'simulator', `${name}: ${error?.stack ?? error}`);
}

/** Plays runs in this Node process. Each depends on its seed only. */
export class Simulator {
  /** Loads Herald, and writes the disk that runs begin with. */
  async open(built) {
    await loadHerald(built);
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => onUncaught(error));
    // What is loaded at its first use is loaded here, and may take its time.
    world.isPatient = true;
    this.disk = new MemoryTree();
    const parts = await this.begin(SEED_OF_THE_DISK, this.disk, 1);
    this.workflows = await world.until(world.as(new Actor('owner'), 'prepare', prepare));
    await this.warmUp(parts);
    world.isPatient = false;
  }

  /** One event of each kind, so that all code that delivers is loaded. */
  async warmUp(parts) {
    this.disk = this.disk.copy();
    const workload = new Workload({ ...parts, workflows: this.workflows, clients: 1, operations: 12 });
    await world.until(workload.run());
    await world.until(world.as(new Actor('clock'), 'pause', () => sleep(60_000)));
  }

  async begin(seed, disk, count) {
    world.begin(seed);
    network.begin();
    forgetConnections();
    const store = new SimulatedStore(disk);
    const peers = new Peers(world.dice('providers'));
    const processes = Array.from({ length: count }, (_, number) => new SimulatedHerald(number));
    await world.until(Promise.all([store.start(), peers.start()]));
    await world.until(Promise.all(processes.map((herald) => herald.start())));
    return { store, peers, processes };
  }

  /** @param story hears of what somebody can see @returns what broke, the hash of all steps, and how much there was */
  async play(seed, story) {
    world.onStory = story;
    const parts = await this.begin(seed, this.disk.copy(), seed % 4 === 0 ? 1 : 2);
    const workload = new Workload({ ...parts, workflows: this.workflows, clients: 3, operations: 14 });
    const faults = new Faults({ ...parts, workload });
    world.look = () => faults.look();
    try {
      const openAtEnd = await this.carryOut(workload, faults, parts.store);
      await world.until(new Oracle({ ...parts, workload }).judge(openAtEnd));
    } catch (error) {
      if (!(error instanceof RunStuck)) throw error;
      world.fail('P17', `${error.message} Clients wait for an answer that does not come.`);
    }
    world.look = world.onStory = undefined;
    const { failures, steps } = world;
    const size = { steps, virtualMs: Math.round(world.now()), events: workload.events.size };
    const hash = world.digest();
    network.end();
    await world.settle();
    return { seed, hash, ...size, failures };
  }

  async carryOut(workload, faults, store) {
    await world.until(workload.run());
    faults.end();
    workload.people.calm();
    world.look = undefined;
    await this.catchUp(store);
    await world.until(workload.afterwards());
    return this.catchUp(store);
  }

  /** @returns what is left to do then */
  async catchUp(store) {
    let open;
    const limit = world.now() + CATCH_UP_MS;
    do {
      await world.until(world.as(new Actor('auditor'), 'pause', () => sleep(LOOK_EVERY_MS)));
      open = await world.until(openWork(store));
    } while (open.length > 0 && world.now() < limit);
    return open;
  }
}
