import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An S3 service with one bucket: lists in pages of two, takes parts, and refuses what is not signed with `secret` by version 4 of AWS's
 * signatures, computed here from the request as it arrived.
 */
export async function startS3({ key, secret }: { key: string; secret: string }) {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const asked: string[] = []
  const faults: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', 'http://s3')
    asked.push(`${request.method} ${url.pathname}`)
    const [status, text] = respond(request, url, Buffer.concat(chunks))
    const headers = { 'content-type': 'application/xml', etag: `"${randomUUID()}"` }
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function respond(request: IncomingMessage, url: URL, body: Buffer): [number, (string | Buffer)?] {
    const fault = faults.shift()
    if (fault) return [fault, error('InternalError')]
    if (!isSigned(request, url, { key, secret })) return [403, error('SignatureDoesNotMatch')]
    const [, bucket, ...rest] = url.pathname.split('/')
    const name = rest.map(decodeURIComponent).join('/')
    if (bucket !== 'bucket') return [404, error('NoSuchBucket')]
    if (name === '') return [200, list(url.searchParams)]
    return ofObject(request.method ?? '', name, url.searchParams, body)
  }

  function list(query: URLSearchParams): string {
    const from = query.get('continuation-token') ?? ''
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > from)
      .sort()
    const page = names.slice(0, 2)
    const more = names.length > 2 ? page.at(-1) : undefined
    const next = more
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${more}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
    const contents = page.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`)
    return `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name>${next}${contents.join('')}</ListBucketResult>`
  }

  function ofObject(
    method: string,
    name: string,
    query: URLSearchParams,
    body: Buffer,
  ): [number, (string | Buffer)?] {
    const id = query.get('uploadId')
    const parts = id === null ? undefined : uploads.get(id)
    if (id !== null && !parts) return [404, error('NoSuchUpload')]
    if (parts && id) return ofUpload(method, name, { id, parts, query }, body)
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return [
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      ]
    }
    if (method === 'PUT') return objects.set(name, body) && [200]
    if (method === 'DELETE') return [204, void objects.delete(name)]
    const found = objects.get(name)
    return found ? [200, found] : [404, error('NoSuchKey')]
  }

  type Upload = { id: string; parts: Map<number, Buffer>; query: URLSearchParams }
  function ofUpload(method: string, name: string, upload: Upload, body: Buffer): [number, string?] {
    const { id, parts, query } = upload
    if (method === 'PUT') return parts.set(Number(query.get('partNumber')), body) && [200]
    uploads.delete(id)
    if (method === 'DELETE') return [204]
    const sent = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, n]) => Number(n))
    objects.set(name, Buffer.concat(sent.map((number) => parts.get(number) ?? Buffer.alloc(0))))
    const result = `<Location>x</Location><Bucket>bucket</Bucket><Key>${name}</Key><ETag>"x"</ETag>`
    return [200, `<CompleteMultipartUploadResult>${result}</CompleteMultipartUploadResult>`]
  }

  const { port } = server.address() as AddressInfo
  const close = () => void server.close()
  return { origin: `http://127.0.0.1:${port}`, objects, uploads, asked, faults, close }
}

const error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** As "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference says. */
function isSigned(request: IncomingMessage, url: URL, of: { key: string; secret: string }) {
  const [, key, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  if (key !== of.key) return false
  const escaped = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map((name) => `${name}:${request.headers[name]}\n`)
  const payload = String(request.headers['x-amz-content-sha256'])
  const canonical = [request.method, url.pathname, query, headers.join(''), names, payload]
  const signed = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    sha256(canonical.join('\n')),
  ]
  const signing = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${of.secret}`)
  return hmac(signing, signed.join('\n')).toString('hex') === signature
}
