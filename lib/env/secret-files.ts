import { readFileSync, statSync } from 'node:fs'
import { SECRET_FILE } from './oidc-providers'

/** Settings that hold a secret: each may be read from the file that `<NAME>_FILE` names, as may those of `SECRET_FILE`. */
export const SECRETS = [
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS', 'NEXTAUTH_SECRET'],
  ...['NEXTAUTH_SECRET_PREVIOUS'],
  ...['ADMIN_PASSWORD', 'BOOTSTRAP_API_KEY', 'METRICS_TOKEN', 'RESEND_API_KEY'],
  ...['RESEND_WEBHOOK_SECRET', 'SMTP_URL', 'CLOUDINARY_URL'],
  ...['BACKUP_KEY', 'BACKUP_S3_URL'],
] as const

const MAX_BYTES = 64 * 1024

type Source = Readonly<Record<string, string | undefined>>

/**
 * The settings with the secrets of their files, without white space around them. `problems`: what is wrong with files, never
 * with a value of theirs.
 */
export function readSecretFiles(source: Source): { settings: Source; problems: string[] } {
  const problems: string[] = []
  const settings = { ...source }
  const ofProviders = Object.keys(source).flatMap((key) => SECRET_FILE.exec(key)?.[0] ?? [])
  for (const name of [...SECRETS, ...ofProviders]) {
    const path = source[`${name}_FILE`]?.trim()
    if (!path) continue
    if (source[name]?.trim()) {
      problems.push(`${name}_FILE: ${name} is set, too; keep one of them`)
      continue
    }
    const read = readSecret(path)
    if ('problem' in read) problems.push(`${name}_FILE: ${read.problem}`)
    else settings[name] = read.value
  }
  return { settings, problems }
}

function readSecret(path: string): { value: string } | { problem: string } {
  const shown = JSON.stringify(path.slice(0, 200))
  try {
    if (statSync(path).size > MAX_BYTES) return { problem: `${shown} is larger than 64 KiB` }
    const value = readFileSync(path, 'utf8').trim()
    return value === '' ? { problem: `${shown} is empty` } : { value }
  } catch (error) {
    return { problem: `${shown} can't be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
