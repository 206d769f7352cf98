/** The production server on an empty data folder, in this process so that it receives signals. */
import { rmSync } from 'node:fs'

rmSync(process.env.DATA_DIR, { recursive: true, force: true })
process.argv.push('start', '--hostname', '127.0.0.1')
await import('next/dist/bin/next')
