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

export const BACKUP_SETTINGS = {
  /** When backups are made: times of each day (UTC), separated by commas, or `off`. */
  BACKUP_SCHEDULE: backupSchedule(),
  /** Where they are kept: a folder of this database alone, the same for all instances. */
  BACKUP_DIR: z.string().trim().min(1).optional(),
  /** How many of them: the last of so many days, weeks and months. */
  BACKUP_KEEP: backupKeep(),
  /** Encrypts backups that are made on schedule and by the command, and reads them. */
  BACKUP_KEY: backupKey().optional(),
}

type Settings = {
  BACKUP_SCHEDULE: readonly number[]
  BACKUP_DIR?: string | undefined
  BACKUP_KEY?: string | undefined
}

/** What a schedule lacks. */
export function backupFaults({ BACKUP_SCHEDULE, BACKUP_DIR, BACKUP_KEY }: Settings): string[] {
  if (BACKUP_SCHEDULE.length === 0) return []
  return [
    ...(BACKUP_DIR ? [] : ['BACKUP_DIR: BACKUP_SCHEDULE needs a folder, best on another disk']),
    ...(BACKUP_KEY
      ? []
      : ['BACKUP_KEY: BACKUP_SCHEDULE needs a key, such as `openssl rand -base64 32` prints']),
  ]
}
