import { z } from 'zod'
import type { JsonObject } from '@/lib/values/json'

type Part = { [key: string]: unknown }

/**
 * The JSON Schema (draft 7, which all editors know) of what a file may hold. Unknown keys are
 * allowed, as the engine ignores or keeps them; `isList`: the file may also hold a list of such objects.
 */
export function toFileSchema(
  input: z.ZodType,
  { title, keys, isList }: { title: string; keys: Record<string, string>; isList: boolean },
): JsonObject {
  const made = z.toJSONSchema(input, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as Part),
  })
  const { $schema, definitions = {}, ...one } = JSON.parse(JSON.stringify(made)) as Part
  const object = { ...one, properties: described(one.properties as Record<string, Part>, keys) }
  if (!isList) return { $schema, title, definitions, ...object } as JsonObject
  return {
    ...{ $schema, title },
    definitions: { ...(definitions as Part), one: object },
    anyOf: [
      { $ref: '#/definitions/one' },
      { type: 'array', items: { $ref: '#/definitions/one' }, minItems: 1 },
    ],
  } as JsonObject
}

const described = (properties: Record<string, Part>, keys: Record<string, string>) => ({
  $schema: { type: 'string', description: 'The address of this schema; ignored by the engine' },
  ...Object.fromEntries(
    Object.entries(properties).map(([key, part]) => [key, { description: keys[key], ...part }]),
  ),
})

/** What zod's own conversion can't say: words in any case, and names that editors may suggest. */
function simplify(part: Part): void {
  const { anyCase, suggested, ...rest } = part
  if (anyCase || suggested) for (const key of Object.keys(part)) delete part[key]
  if (anyCase)
    part.anyOf = [rest, { type: 'string', pattern: anyCasePattern(rest.enum as string[]) }]
  if (suggested) part.anyOf = [{ enum: suggested }, rest]
  if (part.additionalProperties === false) delete part.additionalProperties
}

/** JSON Schema has no flag for it: `^(?:[Ee][Rr][Rr]…|…)$`. */
const anyCasePattern = (words: readonly string[]): string => {
  const letters = (word: string) =>
    [...word].map((letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
  return `^(?:${words.map(letters).join('|')})$`
}
