/** Files of the schedule. Others in the same folder are left alone. */
const NAME = /^engine-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.enc$/
/** What a process that was killed has left. */
const DRAFT = /^\.engine-[\dTZ-]+\.tar\.enc\.[\da-f]+\.half$/

export const nameAt = (at: Date): string =>
  `engine-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.enc`

/** The moment of a file of the schedule, null for any other name. */
export function momentOf(name: string): Date | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? []
  return day === undefined ? null : new Date(`${day}T${hour}:${minute}:${second}Z`)
}

export const isDraft = (name: string): boolean => DRAFT.test(name)

/** Beside a backup: when it was restored on trial. */
export const verifiedMark = (file: string): string => `${file}.verified`
