import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { fileResponse } from '@/lib/http/file-response'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { THUMBNAIL_WIDTHS } from '@/lib/images/thumbnail-contract'
import { nothing, raw } from '@/lib/openapi/responses'

const PREFIX = '/api/images/files/'
const widths = THUMBNAIL_WIDTHS.map(String)

const query = z.strictObject({
  /** Width of a thumbnail. */
  w: z
    .string()
    .refine((text) => widths.includes(text), `Must be one of ${widths.join(', ')}`)
    .transform(Number)
    .optional(),
})

const IMAGE_BYTES = raw('image/*', { headers: ['ETag', 'Accept-Ranges', 'Content-Range'] })

/**
 * Images on the local disk, for anyone who has their address: pages show them to visitors who have
 * no account. The address contains 96 random bits, so it can't be guessed.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readImageFile',
      summary: 'Read the bytes of an image',
      description: 'Of images on the local disk, by the address in their record.',
      responses: {
        200: IMAGE_BYTES,
        206: IMAGE_BYTES,
        304: nothing('It has not changed', ['ETag']),
        416: nothing('There is no such range', ['Content-Range']),
      },
      fails: ['not_found'],
      headers: ['Range', 'If-Range', 'If-None-Match'],
    },
    access: 'public',
    query,
    handle: async ({ request, deps, query }) => {
      const { local } = deps.storage
      const key = readKey(request)
      const file = await (query.w ? local.findThumbnail(key, query.w) : local.find(key))
      if (!file) throw new AppError('not_found', 'There is no image at this address')
      return fileResponse(request, file)
    },
  }),
})

/** The path after the prefix, decoded once; null when it can't be decoded. */
function readKey(request: Request): string {
  const { pathname } = new URL(request.url)
  try {
    return pathname.slice(PREFIX.length).split('/').map(decodeURIComponent).join('/')
  } catch {
    return ''
  }
}
