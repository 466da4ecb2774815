import { useEffect, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button } from './button';

const SHOWN_MS = 2000;

/** Copies a text, and confirms it for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false); // the browser refused; the user can select the text
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button icon={Icon} look="secondary" aria-label={copied ? 'Copied' : label} onClick={() => void copy()}>
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}
