'use client'
import { createContext, type ReactNode, use } from 'react'

/** The server settings that texts of the console depend on. */
export type ServerFacts = {
  /** A provider is set; else mails are kept in the outbox. */
  sendsMail: boolean
  /** Images are kept by a service; else on this server's disk. */
  hasCloudStorage: boolean
  /** By which people sign in; `signsOutThere`: who signs out leaves it, too. */
  providers: { name: string; label: string; signsOutThere: boolean }[]
}

const FactsContext = createContext<ServerFacts>({
  sendsMail: false,
  hasCloudStorage: false,
  providers: [],
})

export const ServerFactsProvider = ({
  value,
  children,
}: {
  value: ServerFacts
  children: ReactNode
}) => <FactsContext value={value}>{children}</FactsContext>

export const useServerFacts = (): ServerFacts => use(FactsContext)
