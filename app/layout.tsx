import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Body, Providers } from '@/components/providers'
import { HeldClicks } from '@/components/shell/held-clicks'
import './globals.css'

export const metadata: Metadata = { title: { default: 'Engine', template: '%s · Engine' } }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    // A script sets the theme's class before the first paint, which React must not report.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <Body className="isolate min-h-dvh">
        <HeldClicks nonce={nonce} />
        <Providers nonce={nonce}>{children}</Providers>
      </Body>
    </html>
  )
}
