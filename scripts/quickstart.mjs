/**
 * `npm run quickstart`: from a fresh checkout to a running server and the result of a search. The
 * next run uses what is there. Ctrl-C stops it.
 */
import { createRequire } from 'node:module'
import { buildIfStale } from './steps/build.mjs'
import { installSample, SEARCH, search } from './steps/first-steps.mjs'
import { installPackages } from './steps/install-packages.mjs'
import { preflight } from './steps/preflight.mjs'
import { ROOT, StepError } from './steps/run.mjs'
import { keepSecrets } from './steps/secrets.mjs'
import { startServer } from './steps/start-server.mjs'

async function quickstart() {
  process.chdir(ROOT)
  checkNode()
  await installPackages()
  loadEnvFiles()
  const port = process.env.PORT || '3000'
  const dataDir = process.env.DATA_DIR || '.data'
  const url = `http://localhost:${port}`
  await preflight({ ...process.env, PORT: port, DATA_DIR: dataDir })
  await buildIfStale()

  const kept = keepSecrets(dataDir)
  const defaults = { ...kept.secrets, APP_URL: url, NEXTAUTH_URL: url, LOG_LEVEL: 'warn' }
  const settings = { ...defaults, ...overridden(defaults), PORT: port, DATA_DIR: dataDir }
  const { exited, stop } = await startServer(url, settings)
  try {
    const key = settings.BOOTSTRAP_API_KEY
    const known = await search(url, key)
    const installed = known ? null : await installSample(url, key)
    show({ url, kept, settings, installed, result: known ?? (await search(url, key)) })
  } catch (error) {
    stop()
    throw error
  }
  return exited
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 9)) return
  throw new StepError(`Engine needs Node 20.9 or newer; this is ${process.versions.node}.`)
}

/** Loads `.env` files by the rules of Next.js; variables that are set keep their values. */
function loadEnvFiles() {
  const require = createRequire(createRequire(import.meta.url).resolve('next/package.json'))
  require('@next/env').loadEnvConfig(ROOT, false, { info: () => {}, error: console.error })
}

/** Those of the defaults that the environment overrides. */
const overridden = (defaults) =>
  Object.fromEntries(Object.keys(defaults).flatMap((name) => present(name, process.env[name])))

const present = (name, value) => (value ? [[name, value]] : [])

function show({ url, kept, settings, installed, result }) {
  const lines = [
    '',
    ...(installed
      ? [
          `Installed ${installed.pluginName}: ${installed.successCount} of ${installed.totalFiles} files.`,
        ]
      : ['The sample plugin is installed already.']),
    `POST ${SEARCH.path} found ${result.pagination.total} airports; the first of them:`,
    ...result.data.map((record) => `  ${JSON.stringify(record)}`),
    '',
    `Console    ${url}`,
    ...(kept.isNew ? credentials(settings, kept.file) : [`Secrets    in ${kept.file}`]),
    '',
    'Try it:',
    curl(url, kept, settings),
    '',
    'Ctrl-C stops the server.',
    '',
  ]
  process.stdout.write(lines.join('\n'))
}

const credentials = ({ ADMIN_EMAIL, ADMIN_PASSWORD, BOOTSTRAP_API_KEY }, file) => [
  `Email     ${ADMIN_EMAIL}`,
  `Password   ${ADMIN_PASSWORD}`,
  `API key    ${BOOTSTRAP_API_KEY}`,
  `Shown once; kept in ${file}`,
]

function curl(url, { isNew, file }, { BOOTSTRAP_API_KEY }) {
  const key = isNew ? BOOTSTRAP_API_KEY : `$(node -p "require('${file}').BOOTSTRAP_API_KEY")`
  return [
    `curl ${url}${SEARCH.path} \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(SEARCH.body)}'`,
  ].join('\n')
}

try {
  process.exitCode = await quickstart()
} catch (error) {
  if (!(error instanceof StepError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
