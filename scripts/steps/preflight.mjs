import { createServer } from 'node:net'
import { StepError } from './run.mjs'

/**
 * Finds out, before anything is built, whether a server could start with `settings`. Throws a
 * `StepError` that says in one line why not.
 * @param {Record<string, string | undefined>} settings
 */
export async function preflight(settings) {
  const { PORT, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URLS, DATA_DIR } =
    await checkSettings(settings)
  await checkPort(PORT)
  await checkBrowsersMayOpen(PORT)
  if (DATABASE_URL) await checkDatabase(DATABASE_URL, 'DATABASE_URL')
  if (DATABASE_URL && DATABASE_DIRECT_URL)
    await checkDatabase(DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL')
  for (const url of DATABASE_REPLICA_URLS) await checkReplica(url)
  await checkWritable(DATA_DIR)
  if (!DATABASE_URL) await checkFolder(DATA_DIR)
}

/** The server's own modules, which are TypeScript. */
async function load(path) {
  const { tsImport } = await import('tsx/esm/api')
  return tsImport(path, import.meta.url)
}

async function checkSettings(settings) {
  const { parseEnv } = await load('../../lib/env.ts')
  try {
    return parseEnv(settings)
  } catch (error) {
    throw new StepError(error.message)
  }
}

function checkPort(port) {
  if (port === 0) throw new StepError('Quickstart needs a PORT from 1 to 65535.')
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(new StepError(explainPort(error, port))))
    server.listen(port, () => server.close(() => resolve()))
  })
}

function explainPort({ code, message }, port) {
  if (code !== 'EADDRINUSE') return `Port ${port} cannot be used: ${message}`
  return `Port ${port} is in use. Stop what uses it, or take another: PORT=${port + 1} npm run quickstart`
}

/** The Fetch standard's "bad ports": Node and browsers refuse them before they try to connect. */
async function checkBrowsersMayOpen(port) {
  const error = await fetch(`http://127.0.0.1:${port}`).catch(({ cause }) => cause)
  if (error?.message !== 'bad port') return
  throw new StepError(
    `Browsers do not open port ${port}, it is kept for another protocol. Take another: PORT=3000 npm run quickstart`,
  )
}

async function checkReplica(url) {
  const query = 'select pg_is_in_recovery() as "isReplica"'
  const [{ isReplica }] = await checkDatabase(url, 'DATABASE_REPLICA_URLS', query)
  if (isReplica) return
  const { host, pathname } = new URL(url)
  throw new StepError(`${host}${pathname} is no replica. Check DATABASE_REPLICA_URLS.`)
}

/** Returns the rows of the query. */
async function checkDatabase(url, variable, query = 'select') {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {}) // reported by the connection attempt
  try {
    await client.connect()
    return (await client.query(query)).rows
  } catch (error) {
    const { host, pathname } = new URL(url) // without the password
    const reason = error.message || error.code
    throw new StepError(`No database at ${host}${pathname} (${reason}). Check ${variable}.`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Secrets are kept there, with a PostgreSQL server too. */
async function checkWritable(dataDir) {
  const { requireDataFolder } = await load('../../lib/storage/require-data-folder.ts')
  await requireDataFolder(dataDir).catch(({ message }) => {
    throw new StepError(message)
  })
}

async function checkFolder(dataDir) {
  const { folderHolder, FolderInUseError } = await load('../../lib/db/folder-lock.ts')
  const holder = await folderHolder(dataDir)
  if (holder) throw new StepError(new FolderInUseError(dataDir, holder).message)
}
