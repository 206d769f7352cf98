/** The content of `CLOUDINARY_URL` as options of the SDK, which every call passes. */
export type CloudinaryAccount = {
  cloud_name: string
  api_key: string
  api_secret: string
  upload_prefix: string
  /** The customer's own host that delivers the images (a CNAME), if any. */
  secure_distribution?: string
}

const API = 'https://api.cloudinary.com'

/**
 * Reads `cloudinary://key:secret@cloud`, with `?upload_prefix=` for another address of the API and
 * `?secure_distribution=` for the customer's delivery host. Its error messages omit the secret.
 */
export function readCloudinaryUrl(text: string): CloudinaryAccount {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url?.username || !url.password || !url.hostname)
    throw new Error('CLOUDINARY_URL must look like cloudinary://<key>:<secret>@<cloud name>')
  const distribution = url.searchParams.get('secure_distribution')
  return {
    cloud_name: url.hostname,
    api_key: decodeURIComponent(url.username),
    api_secret: decodeURIComponent(url.password),
    upload_prefix: (url.searchParams.get('upload_prefix') ?? API).replace(/\/+$/, ''),
    ...(distribution ? { secure_distribution: distribution } : {}),
  }
}

/**
 * Whether the account's images are delivered from `address`: over HTTPS from Cloudinary or the
 * customer's own host. An account at another address of the API may deliver from that origin.
 */
export function deliversFrom(account: CloudinaryAccount, address: string): boolean {
  const { protocol, hostname, origin } = new URL(address)
  const api = new URL(account.upload_prefix)
  if (!isCloudinary(api.hostname) && origin === api.origin) return true
  const isKnown = isCloudinary(hostname) || hostname === account.secure_distribution
  return protocol === 'https:' && isKnown
}

const isCloudinary = (host: string) => host === 'cloudinary.com' || host.endsWith('.cloudinary.com')
