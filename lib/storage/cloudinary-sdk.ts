import 'server-only'
import type { v2 } from 'cloudinary'

let loaded: { protocol: string; sdk: Promise<typeof v2> } | undefined

/**
 * The SDK, for an API at `uploadPrefix`. It chooses between http and https once in a process, while
 * its modules are loaded, from its global configuration: so that is set first, and a second address
 * with another protocol is refused. All other options are passed with each call.
 */
export function loadCloudinary(uploadPrefix: string): Promise<typeof v2> {
  const { protocol } = new URL(uploadPrefix)
  loaded ??= { protocol, sdk: load(uploadPrefix) }
  if (loaded.protocol !== protocol)
    throw new Error(`The Cloudinary SDK speaks ${loaded.protocol} in this process already`)
  return loaded.sdk
}

async function load(uploadPrefix: string): Promise<typeof v2> {
  const { default: configure } = await import('cloudinary/lib/config.js')
  configure({ upload_prefix: uploadPrefix })
  const { v2 } = await import('cloudinary')
  return v2
}
