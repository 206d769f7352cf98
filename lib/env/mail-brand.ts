import { z } from 'zod'
import { contact, imageUrl, title } from './setting-types'

/** Whose mails these are: names, a logo and an address for help in each, and their language. */
export const MAIL_BRAND_SETTINGS = {
  MAIL_BRAND_PRODUCT: title().optional(),
  MAIL_BRAND_ORGANISATION: title().optional(),
  MAIL_BRAND_LOGO_URL: imageUrl().optional(),
  MAIL_BRAND_SUPPORT: contact().optional(),
  MAIL_BRAND_LANGUAGE: z.enum(['en', 'de'], 'must be en or de').default('en'),
}
