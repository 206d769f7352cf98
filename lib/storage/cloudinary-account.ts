/** What `CLOUDINARY_URL` holds, in the SDK's own words: every call is given them. */
export type CloudinaryAccount = {
  cloud_name: string
  api_key: string
  api_secret: string
  upload_prefix: string
}

const API = 'https://api.cloudinary.com'

/**
 * Reads `cloudinary://key:secret@cloud`, with `?upload_prefix=` for another address of the API.
 * Throws a sentence without the secret.
 */
export function readCloudinaryUrl(text: string): CloudinaryAccount {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url?.username || !url.password || !url.hostname)
    throw new Error('CLOUDINARY_URL must look like cloudinary://<key>:<secret>@<cloud name>')
  return {
    cloud_name: url.hostname,
    api_key: decodeURIComponent(url.username),
    api_secret: decodeURIComponent(url.password),
    upload_prefix: (url.searchParams.get('upload_prefix') ?? API).replace(/\/+$/, ''),
  }
}
