import sharp from 'sharp'
import type { FakeObject } from './fake-cloudinary-cloud'

type Delivered = { bytes: Buffer; mediaType: string }

const ADDRESS = /\/image\/upload\/((?:[a-z]_[\w,]+\/)*)v\d+\/(.+)\.(\w+)$/

/**
 * What Cloudinary delivers at `/<cloud>/image/upload/<transformations>/v<version>/<public id>.<format>`: the
 * object as it is now, whatever the version, in the format of the address. Of transformations those that we use.
 */
export async function deliver(
  objects: ReadonlyMap<string, FakeObject>,
  pathname: string,
): Promise<Delivered | null> {
  const [, steps = '', id = '', format] = ADDRESS.exec(decodeURIComponent(pathname)) ?? []
  const object = objects.get(id)
  if (!object) return null
  if (!steps && object.format === format) return object
  let bytes = object.bytes
  for (const step of steps.split('/')) bytes = await transform(bytes, step)
  return { bytes: await sharp(bytes).webp({ lossless: true }).toBuffer(), mediaType: 'image/webp' }
}

async function transform(bytes: Buffer, step: string): Promise<Buffer> {
  const numberOf = (name: string) => Number(new RegExp(`\\b${name}_(\\d+)`).exec(step)?.[1])
  const image = sharp(bytes).autoOrient()
  if (step.startsWith('c_crop'))
    image.extract({
      ...{ left: numberOf('x'), top: numberOf('y') },
      ...{ width: numberOf('w'), height: numberOf('h') },
    })
  if (step.startsWith('c_limit'))
    image.resize({ width: numberOf('w'), withoutEnlargement: true, fit: 'inside' })
  return image.png().toBuffer()
}
