import type { ApiDocument, Content, Parameter, SchemaLike } from './document'
import { isOpen, type Operation } from './operations'
import { exampleOf, placeholder, sampleOf } from './sample'
import { flatten, isFile } from './schema'

/** Where the examples of commands expect the API key. */
export const KEY_VARIABLE = 'ENGINE_API_KEY'

/**
 * The command line that calls an operation at `base`, an address without a slash at its end. What
 * must be sent and has no example stands there in capitals: `/api/users/USER_ID`.
 */
export function curlOf(document: ApiDocument, operation: Operation, base: string): string {
  const { method, parameters, body } = operation
  const url = `${base}${pathOf(document, operation)}${queryOf(document, parameters)}`
  const content = body?.content ?? {}
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}${streams(operation)} ${quote(url)}`,
    ...(isOpen(operation) ? [] : [`-H "Authorization: Bearer $${KEY_VARIABLE}"`]),
    ...requiredHeaders(document, parameters),
    ...bodyOf(document, content),
  ]
  return lines.join(' \\\n  ')
}

/** What an operation's example sends as JSON; undefined when it sends none. */
function jsonBodyOf(document: ApiDocument, content: Content): unknown {
  const json = content['application/json']
  return json && sampleOf(document, json, 'request')
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const textOf = (document: ApiDocument, parameter: Parameter): string =>
  String(exampleOf(document, parameter) ?? placeholder(parameter.name))

const pathOf = (document: ApiDocument, { path, parameters }: Operation) =>
  path.replace(/\{([^}]+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    const value = parameter ? textOf(document, parameter) : placeholder(name)
    return value.split('/').map(encodeURIComponent).join('/')
  })

function queryOf(document: ApiDocument, parameters: readonly Parameter[]): string {
  const needed = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map((each): [string, string] => [each.name, textOf(document, each)])
  return needed.length > 0 ? `?${new URLSearchParams(needed)}` : ''
}

const requiredHeaders = (document: ApiDocument, parameters: readonly Parameter[]) =>
  parameters
    .filter((each) => each.in === 'header' && each.required)
    .map((each) => `-H ${quote(`${each.name}: ${textOf(document, each)}`)}`)

/** Events are shown as they come, not when the buffer is full. */
const streams = ({ responses }: Operation) =>
  responses.some(({ response }) => response.content?.['text/event-stream']) ? ' -N' : ''

function bodyOf(document: ApiDocument, content: Content): string[] {
  if (content['application/json']) {
    const json = JSON.stringify(jsonBodyOf(document, content), null, 2)
    return [`-H 'Content-Type: application/json'`, `-d ${quote(json)}`]
  }
  const form = content['multipart/form-data']
  if (form) return formParts(document, form.schema)
  const [mediaType] = Object.keys(content)
  return mediaType ? [`-H ${quote(`Content-Type: ${mediaType}`)}`, `--data-binary '@FILE'`] : []
}

function formParts(document: ApiDocument, schema: SchemaLike | undefined): string[] {
  const { properties = {}, required = [] } = flatten(document, schema)
  return Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, part]) => {
      const value = isFile(flatten(document, part))
        ? `@${placeholder(name)}`
        : String(sampleOf(document, { schema: part }, 'request'))
      return `-F ${quote(`${name}=${value}`)}`
    })
}

/** Where the API is: the document's own word if it is a whole address, else the page's origin. */
export function baseOf(document: ApiDocument, origin: string): string {
  const [server] = document.servers ?? []
  return new URL(server?.url ?? '/', origin).href.replace(/\/+$/, '')
}
