# __package__

__about__ It imports nothing of Herald but `herald/plugin`, which docs/manual/plugins.md of Herald
describes.

```sh
__commands__
```

__types__`npm test` starts a real Herald with the plugin. `test/herald-home.mjs` says where that is; the environment variable
`HERALD_HOME` names another folder. Herald must be built: `npm run build` in its folder.

Run Herald with the plugin, in the folder of Herald:

```sh
__settings__HERALD_PLUGINS=<folder of this package> npm start
```
