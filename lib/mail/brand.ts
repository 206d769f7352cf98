import type { Env } from '@/lib/env'

export type Language = Env['MAIL_BRAND_LANGUAGE']

/** Whose mails these are. */
export type Brand = {
  product: string | null
  organisation: string | null
  /** An image on the web. */
  logoUrl: string | null
  /** An email address or an address on the web. */
  support: string | null
  language: Language
}

export type BrandSettings = Pick<Env, Extract<keyof Env, `MAIL_BRAND_${string}`>>

export const brandOf = (settings: BrandSettings): Brand => ({
  product: settings.MAIL_BRAND_PRODUCT ?? null,
  organisation: settings.MAIL_BRAND_ORGANISATION ?? null,
  logoUrl: settings.MAIL_BRAND_LOGO_URL ?? null,
  support: settings.MAIL_BRAND_SUPPORT ?? null,
  language: settings.MAIL_BRAND_LANGUAGE,
})

/** `Acme Data · Acme Inc.`: what names whose mail it is; empty without both. */
export const signatureOf = ({ product, organisation }: Brand): string =>
  [product, organisation].filter(Boolean).join(' · ')
