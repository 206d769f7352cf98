import { AppError } from '@/lib/errors'

/** Throws `precondition_failed` when the header `If-Match` names other versions of the resource than `version`. */
export function requireVersion(ifMatch: string | null, version: string): void {
  if (ifMatch !== null && !names(ifMatch, version))
    throw new AppError(
      'precondition_failed',
      'It was changed in the meantime; read it and try again',
    )
}

/** Whether a list of versions, as in `If-Match`, has this one: versions of SCIM are weak. */
export const names = (list: string, version: string): boolean =>
  list
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || strong(one) === strong(version))

const strong = (version: string) => version.replace(/^W\//, '')
