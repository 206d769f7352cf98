import { z } from 'zod'
import type { ResponseDoc, ResponseHeader } from '@/lib/http/doc'

/** How a response gives the position of its page in the list. */
const pagination = z
  .object({
    current: z.int().nullable().meta({ description: 'The page, from 0; null after a cursor' }),
    total: z
      .int()
      .nullable()
      .meta({ description: 'Number of all matches; null with `count=none`' }),
    pages: z.int().nullable(),
    first: z.boolean(),
    last: z.boolean().meta({ description: 'This is the last page' }),
    next: z.string().optional().meta({ description: 'Cursor of the next page' }),
  })
  .meta({
    id: 'Engine.Pagination',
    examples: [{ current: 0, total: 1, pages: 1, first: true, last: true }],
  })

type Options = {
  description?: string
  /** Facts beside the data; none when left out. */
  meta?: z.ZodType
  paged?: boolean
  headers?: readonly ResponseHeader[]
}

/** The envelope around items of one kind. */
const envelopeOf = (item: z.ZodType, { meta = z.object({}), paged }: Options = {}) =>
  z.object({
    data: z.array(item),
    timestamp: z
      .int()
      .meta({ description: 'Milliseconds since 1970', examples: [1_767_225_600_000] }),
    code: z.int().meta({ description: 'The HTTP status' }),
    status: z.string().meta({ description: 'The reason phrase in capitals' }),
    meta,
    ...(paged ? { pagination } : {}),
  })

export function listOf(item: z.ZodType, options: Options = {}): ResponseDoc {
  const { meta: _, paged: __, ...rest } = options
  return json(envelopeOf(item, options), rest)
}

/** A page of a search. */
export const pageOf = (item: z.ZodType, options: Options = {}): ResponseDoc =>
  listOf(item, { paged: true, meta: searchMeta, ...options })

const searchMeta = z
  .object({
    count: z.literal('estimated').optional().meta({ description: '`total` is an estimate' }),
    corrected: z.string().optional().meta({
      description:
        'What was searched for in place of `q`, which nothing has; its cursor is of this text',
    }),
  })
  .meta({ examples: [{}] })

/** JSON in a shape of its own. */
export const json = (schema: z.ZodType, rest: Omit<ResponseDoc, 'content'> = {}): ResponseDoc => ({
  content: { 'application/json': schema },
  ...rest,
})

/** Text or bytes without a schema. */
export const raw = (mediaType: string, rest: Omit<ResponseDoc, 'content'> = {}): ResponseDoc => ({
  content: { [mediaType]: z.string() },
  ...rest,
})

export const nothing = (description: string, headers?: readonly ResponseHeader[]): ResponseDoc => ({
  content: {},
  description,
  headers,
})

/** A component by its name, where its schema is not a zod schema. */
const component = <T = unknown>(name: string) => z.custom<T>().meta({ component: name })

/** A record of an own table, as searches return it. */
export const systemRecord = (entity: `Engine${string}`) => component(`${entity}.Fields`)
