/** The production server on an empty data folder (with `KEEP_DATA`, on what is there), in this process so that it receives signals. */
import { rmSync } from 'node:fs'

if (!process.env.KEEP_DATA) rmSync(process.env.DATA_DIR, { recursive: true, force: true })
process.env.HOST = '127.0.0.1'
await import('../dist/server.mjs')
