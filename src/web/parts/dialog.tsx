import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type DialogProps = { label: string; close(): void; children: ComponentChildren; class?: string };

/** The browser's own dialog: it keeps the focus inside, and Escape closes it. */
export function Dialog({ label, close, children, class: name = "" }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (!dialog?.open) dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog; the click is on the space around it.
    <dialog
      ref={box}
      class={`dialog ${name}`}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === box.current && close()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
