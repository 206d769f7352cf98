import { mkdirSync, writeFileSync } from 'node:fs'
import { brokenExample } from './samples/broken-example'
import { worldAirports } from './samples/world-airports'
import { writeZip } from './samples/write-zip'

/** Writes the sample plugins into `public/samples`; `npm run build:samples`. */
const SAMPLES = { 'world-airports.zip': worldAirports(), 'broken-example.zip': brokenExample() }

mkdirSync('public/samples', { recursive: true })
for (const [name, files] of Object.entries(SAMPLES)) {
  const bytes = await writeZip(files)
  writeFileSync(`public/samples/${name}`, bytes)
  process.stdout.write(`public/samples/${name}: ${bytes.length} bytes\n`)
}
