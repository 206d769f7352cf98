/** `npm run backup`, `restore`, `export`, `import`: see `USAGE` of `lib/backup/command.ts`. */
import nextEnv from '@next/env'
import { keptSecrets } from './steps/secrets.mjs'

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: console.error })
// What `npm run quickstart` has generated, for settings without a value.
for (const [name, secret] of Object.entries(keptSecrets(process.env.DATA_DIR || '.data') ?? {}))
  process.env[name] ||= secret
const { runBackupCommand } = await import('@/lib/backup/command')
const { env } = await import('@/lib/env')
try {
  await runBackupCommand(env(), process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
