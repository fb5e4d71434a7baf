// Runs a WebAssembly program that wants a system (WASI), with all files of this one: node .ci/wasi.mjs PROGRAM ARGS...
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [, , program, ...rest] = process.argv;
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...rest],
    env: process.env,
    preopens: { '/': '/' },
    returnOnExit: true,
});
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
