import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findHelm } from '../steps/helm.mjs'
import { StepError } from '../steps/run.mjs'
import { mountSecrets, probe, renderContainer } from './chart.mjs'
import { envFile, readCompose } from './compose.mjs'
import { startContainer } from './container.mjs'
import { checkDatabase, startDatabase } from './database.mjs'
import { firstRequests } from './first-requests.mjs'
import { own } from './owner.mjs'

const SECRET = 'a secret of a server from nothing, 32+'
const APP_URL = 'https://engine.example.com'

/**
 * From what was made to the first requests, each of these ways; all return what the search found.
 * @typedef {{ checkout: string, image: import('./image.mjs').Image, folder: string }} Made
 */

/** `npm start`, on the embedded database. @param {Made} made */
export function byNpm({ checkout, folder }) {
  const start = {
    ...{
      at: (path) => resolve(checkout, path),
      user: 'root',
      command: ['npm', 'start', '--silent'],
    },
    env: { HOME: folder },
    health: HEALTH,
  }
  return serve(start, { NEXTAUTH_SECRET: SECRET, DATA_DIR: join(folder, 'npm') })
}

const HEALTH = [
  'node',
  '-e',
  'fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))',
]

/** The image with a volume and nothing else, on the embedded database. @param {Made} made */
export function byImage({ image }) {
  newVolume(image, '/data')
  return serve(image, { NEXTAUTH_SECRET: SECRET })
}

/** `docker compose up` after a copy of `.env.example` got values. @param {Made} made */
export async function byCompose({ checkout, image }) {
  const account = {
    ADMIN_EMAIL: 'ann@example.com',
    ADMIN_PASSWORD: 'by compose and correct horses',
  }
  const own = { NEXTAUTH_SECRET: SECRET, POSTGRES_PASSWORD: 'lettersand1', APP_URL, ...account }
  const { services, environment } = readCompose(checkout, envFile(checkout, own))
  const database = await startDatabase(services.database.environment)
  try {
    checkDatabase(services.database.healthcheck.test, database.host)
    const [, path] = services.app.volumes[0].split(':')
    newVolume(image, path)
    const settings = { ...environment }
    settings.DATABASE_URL = inPlaceOf('database:5432', database.host, settings.DATABASE_URL)
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = account
    return await serve(image, settings, { account: { email, password }, appUrl: APP_URL })
  } finally {
    database.stop()
  }
}

/** `helm install` with the values and the secrets of the guide. @param {Made} made */
export async function byChart({ checkout, image, folder }) {
  const helm = await findHelm()
  if (!helm) return 'left out, since there is no Helm'
  const user = { POSTGRES_USER: 'engine', POSTGRES_DB: 'engine', POSTGRES_PASSWORD: 'engine' }
  const database = await startDatabase(user)
  try {
    const container = renderContainer(helm, checkout, folder)
    for (const { mountPath } of container.volumeMounts) newVolume(image, mountPath)
    const settings = mountSecrets(container, image, {
      DATABASE_URL: `postgres://engine:engine@${database.host}/engine`,
      CLOUDINARY_URL: 'cloudinary://key:secret@cloud',
      NEXTAUTH_SECRET: SECRET,
      BACKUP_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
    const probes = (url) => probe(container, url)
    return await serve(image, settings, { appUrl: settings.APP_URL, probes })
  } finally {
    database.stop()
  }
}

function newVolume(image, path) {
  rmSync(image.at(path), { recursive: true, force: true })
  mkdirSync(image.at(path), { recursive: true })
  own(image.at(path))
}

function inPlaceOf(host, other, url) {
  if (!url.includes(host)) throw new StepError(`DATABASE_URL does not lead to ${host}`)
  return url.replace(host, other)
}

async function serve(image, settings, { probes = async (_url) => {}, ...options } = {}) {
  const server = await startContainer(image, settings)
  await server.healthy()
  await probes(server.url)
  const found = await firstRequests(server.url, options)
  await server.stop()
  return found
}
