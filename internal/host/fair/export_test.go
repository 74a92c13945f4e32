package fair

// Held returns how many places an account holds.
func (p *Processors) Held(account string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.shares[account]; s != nil {
		return s.held
	}
	return 0
}
