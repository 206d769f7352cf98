import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { parseJson } from '@/lib/values/json'
import type { Mapping } from './columns/map-columns'

const shape = z.record(z.string(), z.string().nullable())

/** The `mapping` of a form; null when there is none. Throws `invalid_input`. */
export function readMapping(text: string | undefined): Mapping | null {
  if (text === undefined || text.trim() === '') return null
  const found = shape.safeParse(parsed(text))
  if (found.success) return found.data
  throw new AppError('invalid_input', `mapping: ${INVALID}`, {
    validations: [{ field: 'mapping', error: INVALID }],
  })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const INVALID = 'Must be a JSON object of columns to fields, with null for what is left out'
