import { AppError, type ErrorCode } from '@/lib/errors'

/** RFC 7644, 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

const CODES: Partial<Record<ScimType, ErrorCode>> = { uniqueness: 'conflict' }

export const scimError = (scimType: ScimType, message: string, code?: ErrorCode): AppError =>
  new AppError(code ?? CODES[scimType] ?? 'invalid_input', message, { meta: { scimType } })

/** 409: what the server decides or keeps for itself. */
export const refusal = (message: string): AppError => scimError('mutability', message, 'conflict')
