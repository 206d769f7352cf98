import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { baseOf, curlOf } from './curl'
import type { ApiDocument, OperationObject } from './document'
import { groupOperations, type Operation } from './operations'

const KEY = `-H "Authorization: Bearer $ENGINE_API_KEY"`

function documentOf(path: string, method: 'get' | 'post', operation: OperationObject) {
  const security = [{ key: [] }]
  const document: ApiDocument = {
    info: { title: 'Engine', version: '1' },
    paths: { [path]: { [method]: { security, ...operation } } },
  }
  return { document, operation: groupOperations(document)[0]?.operations[0] as Operation }
}

function linesOf(path: string, method: 'get' | 'post', found: OperationObject): string[] {
  const { document, operation } = documentOf(path, method, found)
  return curlOf(document, operation, 'http://engine').split(' \\\n  ')
}

test('what must be sent has the example of the document, or says in capitals what to put there', () => {
  const lines = linesOf('/api/{userId}/{name}/{rest}', 'get', {
    parameters: [
      { name: 'name', in: 'path', required: true, example: 'a b/c' },
      { name: 'size', in: 'query', schema: { type: 'integer', default: 10 } },
      { name: 'format', in: 'query', required: true, schema: { enum: ['csv', 'json'] } },
      { name: 'X-Reason', in: 'header', required: true },
    ],
  })
  expect(lines).toEqual([
    "curl 'http://engine/api/USER_ID/a%20b/c/REST?format=csv'",
    KEY,
    "-H 'X-Reason: X-REASON'",
  ])
})

test('an operation that is open to all is called without a key', () => {
  expect(linesOf('/api/health', 'get', { security: [] })).toEqual([
    "curl 'http://engine/api/health'",
  ])
})

test('events are shown as they come', () => {
  const responses = { 200: { content: { 'text/event-stream': {} } } }
  expect(linesOf('/api/events', 'get', { responses })[0]).toBe("curl -N 'http://engine/api/events'")
})

test('a form sends its required parts, files from the disk', () => {
  const properties = {
    file: { type: 'string', format: 'binary' },
    folder: { type: 'string', examples: ['shop'] },
    note: { type: 'string' },
  }
  const schema = { type: 'object', properties, required: ['file', 'folder'] }
  const requestBody = { content: { 'multipart/form-data': { schema } } }
  expect(linesOf('/api/upload', 'post', { requestBody })).toEqual([
    "curl -X POST 'http://engine/api/upload'",
    KEY,
    "-F 'file=@FILE'",
    "-F 'folder=shop'",
  ])
})

test('a shell hands on the body as it is, quotes and all', () => {
  const body = { name: `it's "5 $HOME" \`id\`` }
  const requestBody = { content: { 'application/json': { example: body } } }
  const { document, operation } = documentOf('/api/names', 'post', { requestBody })
  const command = curlOf(document, operation, 'http://engine')
  const script = `ENGINE_API_KEY=k; curl() { printf '%s\\0' "$@"; }; ${command}`
  const output = execFileSync('sh', ['-c', script])
  const sent = output.toString().split('\0').slice(0, -1)
  expect(sent.slice(0, -1)).toEqual([
    '-X',
    'POST',
    'http://engine/api/names',
    '-H',
    'Authorization: Bearer k',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  expect(JSON.parse(sent.at(-1) ?? '')).toEqual(body)
})

test.each([
  [undefined, 'https://page'],
  ['/', 'https://page'],
  ['/engine/', 'https://page/engine'],
  ['https://other/', 'https://other'],
])('a server at %s is %s', (url, base) => {
  const document: ApiDocument = {
    info: { title: 'Engine', version: '1' },
    servers: url === undefined ? undefined : [{ url }],
    paths: {},
  }
  expect(baseOf(document, 'https://page')).toBe(base)
})
