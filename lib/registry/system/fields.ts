import { isJsonKind, isTextKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { TargetField } from '@/lib/registry/target'

type Options = {
  column?: string
  hidden?: true
  nullable?: true
  expression?: string
  address?: true
}

/** A visible column of an own table; `createdAt` reads `created_at` unless `column` is given. */
export function column(name: string, kind: Kind, options: Options = {}): TargetField {
  const { column = snakeCase(name), nullable = false, ...rest } = options
  return { name, column, kind, nullable, ...rest }
}

/** UUIDs are searched as text, as in JSON. */
export const uuid = (name: string, options: Omit<Options, 'expression'> = {}): TargetField => {
  const field = column(name, 'text', options)
  return { ...field, expression: `"${field.column}"::text` }
}

/** An array of the database as a JSON array. */
export const textList = (name: string, options: Omit<Options, 'expression'> = {}): TargetField => {
  const field = column(name, 'array', options)
  return { ...field, expression: `to_jsonb("${field.column}")` }
}

/** A value inside the definition, which the registry stores as JSON. */
export const defined = (name: string, kind: Kind, path: string = name): TargetField => {
  const column = KINDS[kind].column('')
  const cast = isTextKind(kind) ? '' : `::${column}`
  const expression = isJsonKind(kind)
    ? `"definition" #> '{${path}}'`
    : `("definition" #>> '{${path}}')${cast}`
  return { name, column: 'definition', kind, nullable: true, expression }
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
