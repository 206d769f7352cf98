'use client'
import { useTheme } from 'next-themes'
import { Toaster as Sonner } from 'sonner'

/** Where `toast()` of sonner shows. */
export function Toaster() {
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
