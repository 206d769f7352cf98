import type { Room } from './variables'

/** The bytes that variables may bring into all files of an archive together. */
export class ArchiveRoom {
  private readonly brought = new Map<string, number>()

  constructor(private left: number) {}

  /** Begins a file; what an earlier reading of it was brought is free again. */
  begin(path: string): void {
    this.left += this.brought.get(path) ?? 0
    this.brought.set(path, 0)
  }

  /** Runs `work`, which may take up to `most` bytes of what is left for the file. */
  take<T>(path: string, most: number, work: (room: Room) => T): T {
    const bytes = Math.min(most, this.left)
    const room = { bytes }
    try {
      return work(room)
    } finally {
      const taken = bytes - room.bytes
      this.left -= taken
      this.brought.set(path, (this.brought.get(path) ?? 0) + taken)
    }
  }
}
