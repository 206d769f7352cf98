import type { Env } from '@/lib/env'
import type { Setting } from './describe-settings'

/** Where files are kept, and copies of everything. */
export const describeStorage = (env: Env): Setting[] => [
  storage(env),
  dataFolder(env),
  backups(env),
]

const storage = ({ CLOUDINARY_URL }: Env): Setting => ({
  label: 'Images',
  variables: ['CLOUDINARY_URL'],
  state: CLOUDINARY_URL ? 'set' : 'default',
  value: CLOUDINARY_URL ? `Cloudinary (${new URL(CLOUDINARY_URL).host})` : 'This server’s disk',
  hint: CLOUDINARY_URL
    ? 'New images are kept at Cloudinary.'
    : 'Images are in the data folder: several servers need Cloudinary. Set CLOUDINARY_URL to use it.',
})

const dataFolder = ({ DATA_DIR }: Env): Setting => ({
  label: 'Data folder',
  variables: ['DATA_DIR'],
  state: DATA_DIR === '.data' ? 'default' : 'set',
  value: DATA_DIR,
  hint: 'Back it up: the embedded database and images on disk are in it.',
})

const backups = ({
  BACKUP_SCHEDULE: minutes,
  BACKUP_DIR,
  BACKUP_S3_URL,
  BACKUP_KEEP,
}: Env): Setting => ({
  label: 'Backups',
  variables: ['BACKUP_SCHEDULE', 'BACKUP_DIR', 'BACKUP_S3_URL', 'BACKUP_KEEP', 'BACKUP_KEY'],
  state: minutes.length > 0 ? 'set' : 'optional',
  value:
    minutes.length > 0 ? `Each day at ${minutes.map(timeOf).join(', ')} UTC` : 'None by itself',
  hint:
    minutes.length > 0
      ? `Encrypted, to ${BACKUP_S3_URL?.title ?? BACKUP_DIR}; kept are the last of ${BACKUP_KEEP.days} days, ${BACKUP_KEEP.weeks} weeks and ${BACKUP_KEEP.months} months. Checks says when the last was made.`
      : 'Set BACKUP_SCHEDULE, BACKUP_KEY, and BACKUP_DIR or BACKUP_S3_URL to have them made each day.',
})

const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
