import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { fileResponse } from '@/lib/http/file-response'
import { methods, route } from '@/lib/http/route'
import { findImageFile } from '@/lib/images/find-image-file'
import { ASPECTS } from '@/lib/images/framing-contract'
import { THUMBNAIL_WIDTHS, type ThumbnailWidth } from '@/lib/images/thumbnail-contract'
import { nothing, raw } from '@/lib/openapi/responses'

const PREFIX = '/api/images/files/'
const widths = THUMBNAIL_WIDTHS.map(String)
/** For an address that may lead elsewhere later. */
const FRESH_FOR_S = 60

const query = z
  .strictObject({
    w: z
      .string()
      .refine((text) => widths.includes(text), `Must be one of ${widths.join(', ')}`)
      .transform((text) => Number(text) as ThumbnailWidth)
      .optional()
      .meta({ description: 'The greatest width of a smaller form, which shows the crop' }),
    aspect: z
      .enum(ASPECTS, `Must be one of ${ASPECTS.join(', ')}`)
      .optional()
      .meta({ description: 'The proportions of the smaller form, around the focal point' }),
    v: z
      .string()
      .regex(/^[0-9a-z-]{1,60}$/, 'Must be a tag as this server gives it')
      .optional()
      .meta({ description: 'Stands for crop and focal point: such a form is cached permanently' }),
  })
  .refine(({ w, aspect, v }) => w ?? (aspect === undefined && v === undefined), {
    path: ['w'],
    error: 'Is needed with "aspect" and "v"',
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
        307: nothing('The image was replaced; its address is another one now', ['Location']),
        304: nothing('It has not changed', ['ETag']),
        416: nothing('There is no such range', ['Content-Range']),
      },
      fails: ['not_found'],
      headers: ['Range', 'If-Range', 'If-None-Match'],
    },
    access: 'public',
    query,
    handle: async ({ request, deps, query: { w, aspect = null, v = null } }) => {
      const form = w ? { width: w, aspect, tag: v } : null
      const found = await findImageFile(deps, readKey(request), form)
      if (!found) throw new AppError('not_found', 'There is no image at this address')
      if ('movedTo' in found) return redirect(found.movedTo)
      return fileResponse(request, found.file, found.permanent ? undefined : FRESH_FOR_S)
    },
  }),
})

const redirect = (location: string) =>
  new Response(null, {
    status: 307,
    headers: {
      Location: location,
      'Cache-Control': `public, max-age=${FRESH_FOR_S}`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
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
