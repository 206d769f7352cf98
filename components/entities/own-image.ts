import { sourceOf } from '@/components/images/source-of'
import type { FieldReference } from '@/lib/definitions/definition'
import { resizedUri } from '@/lib/images/thumbnail-contract'
import type { ExactJson } from '@/lib/values/exact-json'

const OWN = /^(https?:\/\/[^/?#\\]+)?\/api\/images\/files\/[\w.%/-]+$/i

/**
 * The address of an image that this system keeps, from a value of any field; null for every other text. It is
 * asked for at this page's own host, whatever host the value names, so that no stranger's server hears of it.
 */
export const ownImage = (value: ExactJson | undefined): string | null =>
  typeof value === 'string' && OWN.test(value) && !value.includes('..') ? value : null

export const smallImage = (address: string, width: 64 | 512): string =>
  sourceOf(resizedUri(address, width))

/** Fields that identify an image, by which a record may refer to it. */
const IDENTIFYING = ['fileId', 'publicId', 'secureUri', 'uri', 'persistenceId']

/** Whether a field refers to images. */
export const refersToImage = (reference?: FieldReference): reference is FieldReference =>
  reference?.entity === 'EngineFiles' && IDENTIFYING.includes(reference.field)
