import type { Kind } from '@/lib/definitions/definition'
import type { TargetField } from '@/lib/registry/target'

type Options = {
  column?: string
  hidden?: true
  nullable?: true
  expression?: string
  address?: true
}

/** A visible column of one of our own tables; `createdAt` reads `created_at` unless told otherwise. */
export function column(name: string, kind: Kind, options: Options = {}): TargetField {
  const { column = snakeCase(name), nullable = false, ...rest } = options
  return { name, column, kind, nullable, ...rest }
}

/** UUIDs are searched as the text they are in JSON. */
export const uuid = (name: string, options: Omit<Options, 'expression'> = {}): TargetField => {
  const field = column(name, 'text', options)
  return { ...field, expression: `"${field.column}"::text` }
}

/** An array of the database as one of JSON. */
export const textList = (name: string, options: Omit<Options, 'expression'> = {}): TargetField => {
  const field = column(name, 'array', options)
  return { ...field, expression: `to_jsonb("${field.column}")` }
}

/** Something inside the definition that the registry keeps as JSON. */
export const defined = (name: string, kind: Kind, path: string = name): TargetField => {
  const cast = kind === 'boolean' ? '::boolean' : ''
  const isJson = kind === 'array' || kind === 'object'
  const expression = isJson
    ? `"definition" #> '{${path}}'`
    : `("definition" #>> '{${path}}')${cast}`
  return { name, column: 'definition', kind, nullable: true, expression }
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
