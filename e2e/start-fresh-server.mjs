/** The production server on an empty data folder, in this process so that it receives signals. */
import { rmSync } from 'node:fs'

rmSync(process.env.DATA_DIR, { recursive: true, force: true })
process.env.HOST = '127.0.0.1'
await import('../dist/server.mjs')
