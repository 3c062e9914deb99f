import { setSourceMapsSupport } from 'node:module';

// Loaded before a service's program (`node --import`), so that its stacks name our own lines of TypeScript. The maps of
// packages, which `--enable-source-maps` reads too, would take 6 MB of each process.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
