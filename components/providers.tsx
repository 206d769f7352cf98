'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider, useTheme } from 'next-themes'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ComponentProps, ReactNode } from 'react'
import { Toaster as Sonner } from 'sonner'
import { getQueryClient } from '@/lib/query/client'

/** The providers of every page. `nonce` belongs to the page's Content-Security-Policy. */
export function Providers({ nonce, children }: { nonce?: string; children: ReactNode }) {
  return (
    <CSPProvider nonce={nonce}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        disableTransitionOnChange
        nonce={nonce}
      >
        <QueryClientProvider client={getQueryClient()}>
          <NuqsAdapter>{children}</NuqsAdapter>
        </QueryClientProvider>
        <Toaster />
      </ThemeProvider>
    </CSPProvider>
  )
}

/** React calls no handler for a click on what it has not taken over. */
export type Click = Event & { isTaken?: boolean }

/** The body of every page; marks the clicks that React has taken, for `HeldClicks`. */
export const Body = (props: ComponentProps<'body'>) => (
  <body
    {...props}
    onClickCapture={({ nativeEvent }) => {
      const click: Click = nativeEvent
      click.isTaken = true
    }}
  />
)

/** Where `toast()` of sonner shows. */
function Toaster() {
  const { theme } = useTheme()
  return (
    <Sonner
      theme={theme as 'light' | 'dark' | 'system'}
      position="bottom-right"
      closeButton
      style={{ fontFamily: 'inherit' }}
      toastOptions={{
        style: {
          background: 'var(--popover)',
          color: 'var(--foreground)',
          border: '1px solid var(--border)',
          boxShadow: 'var(--shadow)',
          fontFamily: 'inherit',
        },
      }}
    />
  )
}
