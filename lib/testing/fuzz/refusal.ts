import { AppError } from '@/lib/errors'

/** The error, if it says what is wrong with the input; throws any other. */
export function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
