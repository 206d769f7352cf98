import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

const FOLDER = 'e2e'
const END = '.spec.ts'
const files = (names) => names.map((name) => `${FOLDER}/${name}${END}`)

/** What people do in their first hour. */
export const MAIN_JOURNEYS = files([
  'engine',
  'first-steps',
  'accounts',
  'plugins',
  'entities',
  'trash',
  'images',
])

/** What the matrix repeats on the embedded database: the whole way of a plugin, a first start, and a model by clicking. */
export const EMBEDDED_JOURNEYS = files(['engine', 'first-steps', 'model-story'])

/** What the matrix leaves out on a machine so slow that CI would end the run: tests of handlers prove most of it, too. */
export const LAST_JOURNEYS = files([
  'api-docs',
  'comments',
  'diagram',
  'image-address',
  'image-alt',
  'image-crop',
  'image-folders',
  'image-labels',
  'image-uses',
  'mail-server',
  'mail-states',
  'move',
  'performance-advice',
  'registration',
  'rename-field',
  'webhooks',
])

/** All others. */
export const firstJourneys = () =>
  readdirSync(join(ROOT, FOLDER))
    .filter((name) => name.endsWith(END))
    .map((name) => `${FOLDER}/${name}`)
    .filter((file) => !LAST_JOURNEYS.includes(file))
