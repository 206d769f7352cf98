import JSZip from 'jszip'
import type { Model } from './model'
import type { Answer, Asked } from './requests-to'
import type { Kept, State } from './stage'
import { FIRST_WRITTEN, tokensIn, WORLD } from './world'

/** What a caller may know of the values that are stored. */

/** Tokens of all that the model shows: records, and what they were. */
export function tokensShown(model: Model, { trash, versions }: State): Set<string> {
  const shown = new Set<string>()
  const add = (value: unknown) => {
    for (const token of tokensIn(JSON.stringify(value))) shown.add(token)
  }
  for (const { name } of WORLD) add(model.view(name))
  for (const kept of [...trash, ...versions]) add(shownOf(model, kept) ?? null)
  return shown
}

/** A former state, seen by who might see it if it were stored. */
function shownOf(model: Model, { entity: name, record }: Kept) {
  const entity = WORLD.find((one) => one.name === name)
  return entity && model.shown(entity, record)
}

/** Names of fields that the caller may neither read nor write. */
export function hiddenNames(model: Model): string[] {
  const actions = ['read', 'write', 'update'] as const
  return WORLD.flatMap(({ name, fields, keys }) => {
    const known = new Set(actions.flatMap((action) => [...model.names(name, action)]))
    const isClear = actions.every((action) => model.rule(name, action).access !== 'unclear')
    // What refers to a record is named to those who may not read it, without its number.
    const isClosed = model.rule(name, 'read').access === 'no'
    const hidden = fields.filter(({ refersTo }) => !isClosed || refersTo === undefined)
    const names = isClear ? hidden.map((field) => field.name) : []
    return names.filter((one) => !known.has(one) && !keys.includes(one))
  })
}

/** All texts of a response: of its headers, its body, files in it, and what base64 hides. */
export async function textsOf({ headers, bytes, text }: Answer): Promise<string> {
  const parts = isZip(bytes) ? await unzipped(bytes) : [text]
  return decoded([...[...headers].map((pair) => pair.join(': ')), ...parts].join('\n'))
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b

async function unzipped(bytes: Uint8Array): Promise<string[]> {
  const zip = await JSZip.loadAsync(bytes)
  return Promise.all(Object.values(zip.files).map((file) => (file.dir ? '' : file.async('string'))))
}

const BASE64 = /[\w-]{16,}={0,2}/g
/** With what its parts in base64url say. */
const decoded = (text: string): string =>
  [text, ...(text.match(BASE64) ?? []).map((one) => Buffer.from(one, 'base64url').toString())].join(
    '\n',
  )

async function textOfFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return isZip(bytes) ? (await unzipped(bytes)).join('\n') : Buffer.from(bytes).toString()
}

/** What the caller has said. */
export async function saidIn({ path, headers, body }: Asked): Promise<string> {
  const form =
    body instanceof FormData
      ? await Promise.all(
          [...body.values()].map((value) =>
            typeof value === 'string' ? value : textOfFile(value),
          ),
        )
      : [JSON.stringify(body ?? '')]
  return decoded([decodeURIComponent(path), JSON.stringify(headers ?? {}), ...form].join('\n'))
}

/** Tokens that requests have made up themselves. */
export const isWritten = (token: string): boolean =>
  Number(/\d{5}(?=x?$)/.exec(token)) >= FIRST_WRITTEN

/** Where a token is stored. */
export function placesOf(token: string, { rows, trash, versions }: State): string {
  const kept = (what: string) => (one: Kept) => ({ ...one, what })
  const all = [
    ...Object.entries(rows).flatMap(([entity, list]) =>
      list.map((record) => ({ entity, record, what: 'record' })),
    ),
    ...trash.map(kept('trash')),
    ...versions.map(kept('version')),
  ]
  const places = all.flatMap(({ entity, record, what }) =>
    Object.entries(record)
      .filter(([, value]) => tokensIn(JSON.stringify(value)).has(token))
      .map(([field]) => {
        const keys = WORLD.find(({ name }) => name === entity)?.keys ?? []
        return `${what} ${entity}/${keys.map((key) => record[key]).join('+')} ${field}`
      }),
  )
  return [...new Set(places)].slice(0, 4).join('; ')
}
