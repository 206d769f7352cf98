/** `npm run release`: checks, writes the files of the release to `release/`, and tags; `-- --dry-run` leaves the tag out. Pushes nothing. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gitText } from './steps/git-text.mjs'
import { releaseFaults } from './steps/release-faults.mjs'
import { writeReleaseFiles } from './steps/release-files.mjs'

const root = process.cwd()
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
const say = (line) => process.stdout.write(`${line}\n`)

try {
  const faults = releaseFaults(root)
  for (const fault of faults) say(fault)
  if (faults.length > 0) process.exitCode = 1
  else release()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function release() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeReleaseFiles(root, join(root, 'release'))
  process.stdout.write(readFileSync(join(root, 'release/SHA256SUMS'), 'utf8'))
  if (values['dry-run']) return say(`A dry run: v${version} is not tagged.`)
  gitText(root, 'tag', '--annotate', `v${version}`, '--message', `Engine ${version}`)
  say(`v${version} is tagged: git push origin v${version}, then build the image from the context.`)
}
