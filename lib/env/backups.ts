import { z } from 'zod'

/** Minutes after midnight (UTC), in their order; none: no backups are made. */
const backupSchedule = () =>
  z
    .string()
    .regex(
      /^(off|([01]\d|2[0-3]):[0-5]\d(,([01]\d|2[0-3]):[0-5]\d)*)$/,
      'must be like 02:30 or 02:30,14:30 (times of each day in UTC), or off',
    )
    .default('off')
    .transform((text) =>
      text === 'off'
        ? []
        : text
            .split(',')
            .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
            .sort((a, b) => a - b),
    )

/** The last backup of so many days, weeks and months is kept. */
export type BackupKeep = { days: number; weeks: number; months: number }

const backupKeep = () =>
  z
    .string()
    .regex(
      /^(?=[1-9])([1-9]\d{0,2}d(,|$))?([1-9]\d{0,2}w(,|$))?([1-9]\d{0,2}m)?(?<!,)$/,
      'must be like 7d,4w,12m: of how many days, weeks and months the last backup is kept',
    )
    .default('7d,4w,12m')
    .transform(
      (text): BackupKeep => ({
        days: countOf(text, 'd'),
        weeks: countOf(text, 'w'),
        months: countOf(text, 'm'),
      }),
    )

const countOf = (text: string, unit: string) =>
  Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0)

const backupKey = () =>
  z
    .string()
    .trim()
    .regex(
      /^[A-Za-z0-9+/]{43}=$/,
      'must be 32 random bytes in Base64, such as `openssl rand -base64 32` prints',
    )

/** A bucket of an S3 service; `title` is its address without the key. */
export type Bucket = {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Of the objects' names: empty, or with a slash at its end. */
  prefix: string
  title: string
}

const S3_FORM =
  'must look like https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/folder?region=eu-central-1'

const bucket = () =>
  z
    .string()
    .trim()
    .transform((text, context) => readBucket(text) ?? refuse(context))

function refuse(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: S3_FORM })
  return z.NEVER
}

function readBucket(text: string): Bucket | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.hash) return null
  const [, name = '', ...folders] = url.pathname.replace(/\/$/, '').split('/')
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decoded)
  const isPlain = [name, ...folders].every((part) => /^[\w.-]+$/.test(part))
  if (!accessKeyId || !secretAccessKey || !isPlain) return null
  if ([...url.searchParams.keys()].some((key) => key !== 'region')) return null
  const prefix = folders.map((folder) => `${folder}/`).join('')
  const region = url.searchParams.get('region') || 'auto'
  const endpoint = `${url.origin}/${name}`
  return { endpoint, region, accessKeyId, secretAccessKey, prefix, title: `${endpoint}/${prefix}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

export const BACKUP_SETTINGS = {
  /** When backups are made: times of each day (UTC), separated by commas, or `off`. */
  BACKUP_SCHEDULE: backupSchedule(),
  /** Where they are kept: a folder of this database alone, the same for all instances. */
  BACKUP_DIR: z.string().trim().min(1).optional(),
  /** A bucket in place of the folder: see `Bucket`. */
  BACKUP_S3_URL: bucket().optional(),
  /** How many of them: the last of so many days, weeks and months. */
  BACKUP_KEEP: backupKeep(),
  /** Encrypts backups that are made on schedule and by the command, and reads them. */
  BACKUP_KEY: backupKey().optional(),
}

type Settings = {
  BACKUP_SCHEDULE: readonly number[]
  BACKUP_DIR?: string | undefined
  BACKUP_S3_URL?: Bucket | undefined
  BACKUP_KEY?: string | undefined
}

/** What a schedule lacks. */
export function backupFaults(settings: Settings): string[] {
  const { BACKUP_SCHEDULE, BACKUP_DIR, BACKUP_S3_URL, BACKUP_KEY } = settings
  if (BACKUP_DIR && BACKUP_S3_URL)
    return ['BACKUP_S3_URL: backups are kept in one place; set it or BACKUP_DIR']
  if (BACKUP_SCHEDULE.length === 0) return []
  return [
    ...(BACKUP_DIR || BACKUP_S3_URL
      ? []
      : [
          'BACKUP_DIR: BACKUP_SCHEDULE needs a folder, best on another disk, or a bucket: BACKUP_S3_URL',
        ]),
    ...(BACKUP_KEY
      ? []
      : ['BACKUP_KEY: BACKUP_SCHEDULE needs a key, such as `openssl rand -base64 32` prints']),
  ]
}
