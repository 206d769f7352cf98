/**
 * `npm run from-nothing`: each documented way from a checkout to a served request. npm, the image by the instructions of its Dockerfile, the
 * compose file and the chart, to a first administrator who has installed the sample and found something. `-- --built` takes the build of
 * this checkout in place of all that is built, also of the image's files. There is no container engine in it: folders stand for images.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cloneTo, inFolder } from './from-nothing/checkout.mjs'
import { carryOut, standInFor } from './from-nothing/image.mjs'
import { imageSize } from './from-nothing/size.mjs'
import { byChart, byCompose, byImage, byNpm } from './from-nothing/ways.mjs'
import { ROOT, StepError } from './steps/run.mjs'

const { built } = parseArgs({ options: { built: { type: 'boolean', default: false } } }).values
const folder = mkdtempSync(join(tmpdir(), 'engine-from-nothing-'))
chmodSync(folder, 0o755) // the user of the image reads it
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const seconds = () => `after ${Math.round(performance.now() / 1000)} s`
const say = (line) => process.stdout.write(`${line} (${seconds()})\n`)

try {
  const made = make()
  await Promise.all([
    follow({ 'npm ci, npm run build, npm start': byNpm }, made),
    // They share the image's folders.
    follow(
      {
        'docker build, docker run': byImage,
        'docker compose up': byCompose,
        'helm install': byChart,
      },
      made,
    ),
  ])
} catch (error) {
  if (!(error instanceof StepError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
// Databases of its own end with it.
process.exit()

async function follow(ways, made) {
  for (const [name, way] of Object.entries(ways)) say(`${name}: ${await way(made)}`)
}

/** The checkout, with its packages and a build, and the image. */
function make() {
  const place = join(folder, 'image')
  if (built) return { checkout: ROOT, image: standInFor(ROOT, place), folder }
  const checkout = join(folder, 'checkout')
  cloneTo(ROOT, checkout)
  const image = carryOut(checkout, place)
  say(`The image is built: ${imageSize(image.bytes)}`)
  inFolder(checkout, 'npm', ['ci'])
  inFolder(checkout, 'npm', ['run', 'build'])
  say('npm has installed and built')
  return { checkout, image, folder }
}
