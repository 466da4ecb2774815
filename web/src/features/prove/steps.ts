export const STEPS = ['Reader', 'Coins', 'Sign', 'Report'] as const;
