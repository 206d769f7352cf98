import { fetchSignedIn } from '@/lib/http/client'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import type { ApiDocument, Parameter } from './document'
import type { Operation } from './operations'
import { exampleOf, sampleOf } from './sample'

/** What a request is made of: texts by the parameters' places and names, and the body as JSON. */
export type Trial = { texts: Record<string, string>; body: string | null }

/** `body` is what is shown of the response: JSON in lines, a text as it is, at most `MAX_SHOWN` characters. */
export type Answer = { status: number; ms: number; body: string; isCut: boolean }

const MAX_SHOWN = 50_000
/** An answer that takes longer is given up. */
const MAX_MS = 60_000

export const nameIn = ({ in: place, name }: Parameter): string => `${place} ${name}`

/** Parameters that a page may set: cookies are the session's. */
export const triedParameters = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in !== 'cookie')

/** Whether a request can be put together in a form: files and streams are for other programs. */
export function canTry({ body, responses }: Operation): boolean {
  const sent = Object.keys(body?.content ?? {})
  const isStream = responses.some(({ response }) => response.content?.['text/event-stream'])
  return !isStream && (sent.length === 0 || sent.includes('application/json'))
}

/** The operation's example, with nothing where it has none. */
export function firstTrial(document: ApiDocument, operation: Operation): Trial {
  const texts = triedParameters(operation)
    .filter(({ required }) => required)
    .map((each): [string, string] => [nameIn(each), String(exampleOf(document, each) ?? '')])
  const json = operation.body?.content?.['application/json']
  const body = json ? JSON.stringify(sampleOf(document, json, 'request'), null, 2) : null
  return { texts: Object.fromEntries(texts), body }
}

/** Without a value for one of the path, a request would be another operation's. */
export const missingNames = (operation: Operation, { texts }: Trial): string[] =>
  triedParameters(operation)
    .filter(({ required }) => required)
    .map(nameIn)
    .filter((name) => !texts[name]?.trim())

/** Sends it with the session of the page. Throws `ApiError` without an answer. */
export async function sendTrial(operation: Operation, { texts, body }: Trial): Promise<Answer> {
  const { method, path } = operation
  const set = triedParameters(operation).flatMap((parameter) => {
    const value = texts[nameIn(parameter)]?.trim()
    return value ? [{ place: parameter.in, name: parameter.name, value }] : []
  })
  const of = (place: string) =>
    set.filter((each) => each.place === place).map(({ name, value }) => [name, value])
  const inPath = new Map(of('path') as [string, string][])
  const address = path.replace(/\{([^}]+)\}/g, (_, name) =>
    encodeURIComponent(inPath.get(name) ?? ''),
  )
  const query = new URLSearchParams(of('query')).toString()
  const started = performance.now()
  const response = await fetchSignedIn(query ? `${address}?${query}` : address, {
    method: method.toUpperCase(),
    headers: {
      ...Object.fromEntries(of('header')),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body || undefined,
    signal: AbortSignal.timeout(MAX_MS),
  })
  const text = await response.text()
  const shown = inLines(text)
  return {
    status: response.status,
    ms: performance.now() - started,
    body: shown.slice(0, MAX_SHOWN),
    isCut: shown.length > MAX_SHOWN,
  }
}

/** JSON as people read it, with every digit; anything else as it is. */
function inLines(text: string): string {
  try {
    return exactJsonText(parseExactJson(text), 2)
  } catch {
    return text
  }
}
