class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

export type { Html }

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Slot = string | Html | Slot[]

function render(slot: Slot): string {
  if (slot instanceof Html) return slot.text
  if (Array.isArray(slot)) return slot.map(render).join('')
  return slot.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Template tag for HTML. Escapes all values except nested templates. */
export function html(parts: TemplateStringsArray, ...slots: Slot[]): Html {
  return new Html(parts.reduce((text, part, i) => text + render(slots[i - 1] ?? '') + part))
}
