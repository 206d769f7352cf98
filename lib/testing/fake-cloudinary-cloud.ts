import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import sharp from 'sharp'
import { labelsOf } from './fake-cloudinary-labels'
import { checkSignature } from './fake-cloudinary-signature'

export type FakeObject = {
  bytes: Buffer
  mediaType: string
  version: number
  width: number
  height: number
  format: string
  tags: string[]
  context: Record<string, string>
  createdAt: string
}
type Reply = { status: number; body: unknown }
type Fields = Record<string, string>

/** One account: its objects and the rules for changing them. */
export class FakeCloud {
  readonly name = 'fake-cloud'
  readonly key = '123456789012345'
  readonly secret = 'a-secret-of_the-fake'
  readonly objects = new Map<string, FakeObject>()
  address = ''
  #version = Math.floor(Date.now() / 1000)

  async respond(
    request: IncomingMessage,
    path: string,
    fields: Fields,
    file: Buffer | null,
  ): Promise<Reply> {
    const [cloud, ...rest] = path.split('/').slice(2).map(decodeURIComponent)
    if (cloud !== this.name) return refuse(401, `Invalid cloud_name ${cloud}`)
    if (request.method === 'GET') return this.#read(request, rest)
    const fault = checkSignature(fields, this)
    if (fault) return refuse(401, fault)
    switch (rest.join('/')) {
      case 'image/upload':
        return this.#upload(fields, file)
      case 'image/destroy':
        return ok({ result: this.objects.delete(fields.public_id ?? '') ? 'ok' : 'not found' })
      case 'image/explicit':
        return this.#label(fields)
      case 'image/tags':
      case 'image/context':
        return this.#clear(rest[1] as 'tags' | 'context', fields)
      default:
        return refuse(404, `Unknown action ${rest.join('/')}`)
    }
  }

  async #upload(fields: Fields, file: Buffer | null): Promise<Reply> {
    const image =
      file &&
      (await sharp(file)
        .metadata()
        .catch(() => null))
    if (!file || !image) return refuse(400, 'Invalid image file')
    const name = fields.public_id ?? randomBytes(10).toString('hex')
    const id = fields.folder ? `${fields.folder}/${name}` : name
    const before = this.objects.get(id)
    if (before && fields.overwrite !== '1') return ok(this.#describe(id, before))
    const format = { jpeg: 'jpg', heif: 'avif' }[image.format as string] ?? image.format
    const object = {
      bytes: file,
      mediaType: image.mediaType ?? '',
      version: ++this.#version,
      width: image.width,
      height: image.height,
      format,
      ...labelsOf(fields),
      createdAt: new Date().toISOString(),
    }
    this.objects.set(id, object)
    return ok({ ...this.#describe(id, object), ...(before ? { overwritten: true } : {}) })
  }

  #label(fields: Fields): Reply {
    const object = this.objects.get(fields.public_id ?? '')
    if (!object) return refuse(404, `Resource not found - ${fields.public_id}`)
    const { tags, context } = labelsOf(fields)
    if (fields.tags !== undefined) object.tags = tags
    if (fields.context !== undefined) object.context = context
    return ok(this.#describe(fields.public_id ?? '', object))
  }

  #clear(what: 'tags' | 'context', fields: Fields): Reply {
    if (fields.command !== 'remove_all') return refuse(400, 'Unknown command')
    const ids = (fields.public_ids ?? '').split(',').filter((id) => this.objects.has(id))
    for (const id of ids)
      Object.assign(this.objects.get(id) ?? {}, what === 'tags' ? { tags: [] } : { context: {} })
    return ok({ public_ids: ids })
  }

  #read(request: IncomingMessage, [kind, ...rest]: string[]): Reply {
    const expected = `Basic ${Buffer.from(`${this.key}:${this.secret}`).toString('base64')}`
    if (request.headers.authorization !== expected) return refuse(401, 'Invalid credentials')
    if (kind === 'ping') return ok({ status: 'ok' })
    const id = rest.slice(2).join('/')
    const object = kind === 'resources' ? this.objects.get(id) : undefined
    return object ? ok(this.#describe(id, object)) : refuse(404, `Resource not found - ${id}`)
  }

  #describe(id: string, object: FakeObject): object {
    const { bytes, version, width, height, format, tags, context } = object
    const path = `${id.split('/').map(encodeURIComponent).join('/')}.${format}`
    const url = `${this.address}/${this.name}/image/upload/v${version}/${path}`
    return {
      asset_id: createHash('md5').update(id).digest('hex'),
      public_id: id,
      version,
      signature: createHash('sha1').update(`${id}${version}`).digest('hex'),
      ...{ width, height, format, tags },
      resource_type: 'image',
      created_at: object.createdAt,
      bytes: bytes.length,
      type: 'upload',
      etag: createHash('md5').update(bytes).digest('hex'),
      placeholder: false,
      url,
      secure_url: url,
      folder: id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : '',
      api_key: this.key,
      ...(Object.keys(context).length > 0 ? { context: { custom: context } } : {}),
    }
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body })
const refuse = (status: number, message: string): Reply => ({
  status,
  body: { error: { message } },
})
