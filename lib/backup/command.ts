import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { knownSecret } from '@/lib/crypto/load-secret'
import type { Env } from '@/lib/env'
import { checkBackup } from './check-backup'
import { withFile } from './find-file'
import { openSession, type Place, type Session } from './open-session'
import { inFolderBeside, inWorkFolder, pack, requireNew, unpack } from './pack'
import { restoreBackup } from './restore-backup'
import { markVerified } from './schedule/verified-marks'
import { verifyFile } from './verify-file'
import { writeBackup } from './write-backup'

const USAGE = `Usage:
  npm run backup -- [FILE]               back up the database and the images on this server's disk
  npm run backup -- --verify [FILE]      restore it, or the newest of the schedule, on trial, and compare; --in postgres://… on that server
  npm run restore -- FILE [--replace]    bring a backup back, into an empty database or in place of what is there
  npm run export -- --to postgres://…    move everything into an empty PostgreSQL database, as it is
  npm run export -- [FILE]               the same as a file, for
  npm run import -- FILE [--replace]     another machine
The settings say where from and where to: DATABASE_URL, or the embedded database in DATA_DIR. With BACKUP_KEY files are encrypted.
With BACKUP_S3_URL, FILE may be the name of a backup of the schedule there.
`

/** Runs one of the commands of `USAGE`. Throws an `Error` whose message is for people. */
export async function runBackupCommand(
  settings: Env,
  args: string[],
  print: (line: string) => void,
): Promise<void> {
  const options = {
    replace: { type: 'boolean' },
    to: { type: 'string' },
    verify: { type: 'boolean' },
    in: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.help) return print(USAGE)
  const [command, file] = positionals
  const commands: Record<string, () => Promise<void>> = {
    backup: () =>
      values.verify
        ? verify(settings, file, values.in, print)
        : backUp(settings, file ?? newName(settings), print),
    restore: () => restore(settings, requireFile(file), values.replace ?? false, print),
    export: () =>
      values.to
        ? move(settings, values.to, print)
        : backUp(settings, file ?? newName(settings), print),
    import: () => restore(settings, requireFile(file), values.replace ?? false, print),
  }
  const run = commands[command ?? '']
  if (!run || positionals.length > 2) throw new Error(USAGE)
  await run()
}

type Print = (line: string) => void

async function backUp(settings: Env, file: string, print: Print): Promise<void> {
  await requireNew(file)
  await inWorkFolder(settings, file, async (folder) => {
    const manifest = await save(settings, folder)
    await pack(folder, file, settings.BACKUP_KEY)
    print(`${file}: ${describe(manifest)}`)
    if (manifest.missingImages.length > 0)
      print(`Warning: ${manifest.missingImages.length} images have no file on this server`)
    if (manifest.cloudImages > 0)
      print(`${manifest.cloudImages} images are at Cloudinary and not part of the backup`)
    print(
      settings.BACKUP_KEY
        ? 'It is encrypted: without BACKUP_KEY nothing can read it.'
        : 'It holds personal data and the hashes of passwords: keep it as safe as the database.',
    )
  })
}

async function restore(settings: Env, file: string, replace: boolean, print: Print): Promise<void> {
  await withFile(settings, file, ({ path }) =>
    inWorkFolder(settings, path, async (folder) => {
      await unpack(path, folder, { key: settings.BACKUP_KEY })
      await load(settings, settings, folder, replace, print)
    }),
  )
}

async function verify(
  settings: Env,
  named: string | undefined,
  server: string | undefined,
  print: Print,
): Promise<void> {
  if (server !== undefined) requireUrl('--in', server)
  await withFile(settings, named, async ({ path, store, name }) => {
    const manifest = await verifyFile(settings, path, server)
    if (store) await markVerified(store, name)
    const what = `${describe(manifest)} of ${manifest.createdAt}`
    print(`${named ?? name}: ${what} were restored on trial, the same`)
  })
}

async function move(settings: Env, url: string, print: Print): Promise<void> {
  requireUrl('--to', url)
  await inFolderBeside(newName(settings), async (folder) => {
    await save(settings, folder)
    await load(
      settings,
      { DATABASE_URL: url, DATABASE_DIRECT_URL: undefined, DATA_DIR: settings.DATA_DIR },
      folder,
      false,
      print,
    )
    print('Set DATABASE_URL to that database. The former one is unchanged.')
  })
}

async function save(settings: Env, folder: string) {
  requireDatabase(settings)
  const secret = await knownSecret(settings)
  const dataDir = settings.DATA_DIR
  return withSession(settings, (session) => writeBackup({ session, dataDir, secret }, folder))
}

async function load(settings: Env, to: Place, folder: string, replace: boolean, print: Print) {
  const secret = await knownSecret(settings)
  const backup = await checkBackup(folder)
  await withSession(to, async (session) => {
    const target = { session, dataDir: to.DATA_DIR, secret }
    const warnings = await restoreBackup(target, backup, replace ? 'replace' : 'nothing')
    print(`Restored ${describe(backup.manifest)} of ${backup.manifest.createdAt}`)
    for (const warning of warnings) print(`Warning: ${warning}`)
  })
}

/** Opening the embedded database would create it. */
function requireDatabase({ DATABASE_URL, DATA_DIR }: Env): void {
  if (DATABASE_URL || existsSync(join(DATA_DIR, 'pglite', 'PG_VERSION'))) return
  throw new Error(
    `There is nothing to back up: no embedded database in ${DATA_DIR}, and DATABASE_URL is not set`,
  )
}

async function withSession<T>(place: Place, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession(place)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

type Counted = { tables: readonly { rows: number }[]; images: readonly unknown[] }

const describe = ({ tables, images }: Counted) =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables, ${images.length} images`

const newName = ({ BACKUP_KEY }: Env) =>
  `engine-${new Date().toISOString().replace(/[:.]/g, '-')}.tar${BACKUP_KEY ? '.enc' : ''}`

function requireUrl(option: string, url: string): void {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error(`${option} needs postgres://…`)
}

function requireFile(file: string | undefined): string {
  if (!file) throw new Error(USAGE)
  return file
}
