import { durabilityOf } from './durability.js';

describe('durabilityOf', () => {
  it.each(['mongodb://host/herald', 'mongodb://a,b/herald?replicaSet=rs0&w=majority'])(
    'should wait for the journal: %s',
    (uri) => {
      expect(durabilityOf(uri)).toEqual({ journal: true });
    },
  );

  it.each(['mongodb://host/?journal=false', 'mongodb://a,b/herald?replicaSet=rs0&Journal=true'])(
    'should leave the decision of the connection string: %s',
    (uri) => {
      expect(durabilityOf(uri)).toEqual({});
    },
  );
});
