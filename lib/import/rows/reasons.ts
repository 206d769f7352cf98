import type { FileDetail } from '@/lib/definitions/file-detail'

/** Why rows are refused, by their index in the file. */
export type Reasons = Map<number, string[]>

/** In one sentence, with the name of the field where the message has none. */
export function reasonOf({ pointer = '', message }: FileDetail): string {
  const field = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  return field === '' || message.includes(`"${field}"`) ? message : `${field} ${message}`
}
