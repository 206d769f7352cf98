'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider } from 'next-themes'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ComponentProps, ReactNode } from 'react'
import { Notices } from '@/components/ui/notices'
import { getQueryClient } from '@/lib/query/client'

/** The providers of every page. `nonce` belongs to the page's Content-Security-Policy. */
export function Providers({ nonce, children }: { nonce?: string; children: ReactNode }) {
  return (
    <CSPProvider nonce={nonce}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        enableColorScheme={false} // globals.css does, by the medium
        disableTransitionOnChange
        nonce={nonce}
      >
        <QueryClientProvider client={getQueryClient()}>
          <NuqsAdapter>{children}</NuqsAdapter>
        </QueryClientProvider>
        <Notices />
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
