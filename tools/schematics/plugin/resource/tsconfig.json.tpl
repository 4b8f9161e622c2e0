{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "strict": true,
    "strictPropertyInitialization": false,
    "skipLibCheck": true,
    "useDefineForClassFields": false,
    "experimentalDecorators": true,
    "emitDecoratorMetadata": true,
    "types": [],
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
